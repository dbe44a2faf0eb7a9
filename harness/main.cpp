#include "harness/cli/cli.h"

int main(int argc, char** argv) { return alsbench::run_cli(argc, argv); }
