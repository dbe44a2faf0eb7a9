# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, the page of reports: FOLDER/page.html with its style sheet, SCRIPTS and GLOSSARY inside. The content
# policy names each of them by its SHA-256, so a browser runs nothing else. Comments and indentation stay behind.
cmake_minimum_required(VERSION 3.24)  # "@NAME@" stays as it is
set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# The base64 of TEXT's SHA-256: three hexadecimal digits are two characters; 32 bytes leave one of padding.
function(content_hash text result)
  string(SHA256 digits "${text}")
  string(APPEND digits "00")
  set(encoded "")
  foreach(place RANGE 0 63 3)
    string(SUBSTRING "${digits}" ${place} 3 group)
    math(EXPR first "0x${group} / 64")
    math(EXPR second "0x${group} % 64")
    string(SUBSTRING "${alphabet}" ${first} 1 one)
    string(SUBSTRING "${alphabet}" ${second} 1 two)
    string(APPEND encoded "${one}${two}")
  endforeach()
  string(SUBSTRING "${encoded}" 0 43 encoded)
  set(${result} "'sha256-${encoded}='" PARENT_SCOPE)
endfunction()

file(READ ${FOLDER}/page.html page)
file(READ ${FOLDER}/page.css style)
file(READ ${GLOSSARY} glossary)
content_hash("${style}" style_hash)
set(scripts "")
set(script_hashes "")
foreach(name ${SCRIPTS})
  file(READ ${FOLDER}/${name} script)
  string(REGEX REPLACE "\n *//[^\n]*" "" script "${script}")  # what readers of the source need
  string(REGEX REPLACE "\n +" "\n" script "${script}")
  content_hash("${script}" hash)
  string(APPEND script_hashes " ${hash}")
  string(APPEND scripts "<script>${script}</script>\n")
endforeach()
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@SCRIPT_HASHES@" "${script_hashes}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@GLOSSARY@" "${glossary}" page "${page}")
string(REPLACE "@SCRIPTS@" "${scripts}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
