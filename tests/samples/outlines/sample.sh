#!/bin/sh
# Installs.
install_all() {
  echo x
}

function build {
  make
}
build
