#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NVRTC replaces a program's signal handlers while it compiles, and puts them back without SA_RESETHAND.
#
# Versions: NVRTC 13.0.88 (PyPI's nvidia-cuda-nvrtc), no GPU.
# Behaviour: nvrtcCompileProgram installs handlers of its own for SIGTERM and puts the program's back at its end, with
#   SA_RESTART in place of the flags and mask that they had. A handler that was to act once, with SA_RESETHAND, acts on every
#   signal from the first compilation on, in silence.
# Likely guess: a library leaves signal handlers alone, and a handler with SA_RESETHAND that raises its signal again ends the
#   program. It runs for ever: SIGTERM and Ctrl-C no longer end it. Right: set SIG_DFL in the handler before raise(), and
#   install handlers again after the first compilation where flags or masks matter.
# Output seen: before: the program's handler, SA_RESETHAND; during: another handler; after: the program's handler, SA_RESTART,
#   mask lost; it is there still after a first SIGTERM
#
# Needs gcc; run by hand. NVRTC is installed into a temporary folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps nvidia-cuda-nvrtc==13.0.88
libraries=$(echo "$folder"/venv/lib/python3*/site-packages/nvidia/cu13/lib)
cat >"$folder/handlers.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

static void of_program(int number) { (void)number; }
static atomic_int done, others;

static struct sigaction now(void) {
  struct sigaction action;
  sigaction(SIGTERM, NULL, &action);
  return action;
}

static void* watch(void* unused) {
  while (!done) {
    const struct sigaction action = now();
    if (action.sa_handler != of_program) others = 1;
  }
  return unused;
}

static void print(const char* when) {
  const struct sigaction action = now();
  printf("%s: %s handler,%s%s%s\n", when, action.sa_handler == of_program ? "the program's" : "another",
         action.sa_flags & SA_RESETHAND ? " SA_RESETHAND" : "", action.sa_flags & SA_RESTART ? " SA_RESTART" : "",
         sigismember(&action.sa_mask, SIGUSR1) ? " mask kept" : " mask lost");
}

int main(int count, char** arguments) {
  void* nvrtc = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (!nvrtc) return fprintf(stderr, "%s\n", dlerror()), 3;
  int (*create)(void**, const char*, const char*, int, const char**, const char**) = dlsym(nvrtc, "nvrtcCreateProgram");
  int (*compile)(void*, int, const char**) = dlsym(nvrtc, "nvrtcCompileProgram");
  struct sigaction once = {.sa_handler = of_program, .sa_flags = (int)SA_RESETHAND};
  sigaddset(&once.sa_mask, SIGUSR1);
  sigaction(SIGTERM, &once, NULL);
  print("before");
  pthread_t thread;
  pthread_create(&thread, NULL, watch, NULL);
  void* program;
  const char* options[] = {"-arch=sm_90"};
  if (create(&program, "__global__ void f(float* p) { p[threadIdx.x] = sqrtf(p[0]); }", "f.cu", 0, NULL, NULL) ||
      compile(program, 1, options))
    return fprintf(stderr, "NVRTC does not compile\n"), 3;
  done = 1;
  pthread_join(thread, NULL);
  printf("during: %s handler\n", others ? "another" : "the program's");
  print("after");
  raise(SIGTERM);
  print("after a first SIGTERM");
  return 0;
}
C
gcc -o "$folder/handlers" "$folder/handlers.c" -ldl -lpthread
seen=$(LD_LIBRARY_PATH="$libraries" "$folder/handlers" "$libraries/libnvrtc.so.13")
echo "$seen"
expected="before: the program's handler, SA_RESETHAND mask kept
during: another handler
after: the program's handler, SA_RESTART mask lost
after a first SIGTERM: the program's handler, SA_RESTART mask lost"
if [ "$seen" != "$expected" ]; then
  echo "changed: NVRTC does otherwise with signal handlers" >&2
  exit 1
fi
