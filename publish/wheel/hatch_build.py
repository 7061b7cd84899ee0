"""Puts the compiled command into the wheel, among the programs that pip installs."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Command(BuildHookInterface):
    def initialize(self, version, build_data):
        command = os.environ["CAMPANILE_COMMAND"]
        build_data["shared_scripts"] = {os.path.join(self.root, command): command}
        # Any Python 3, on the one platform that the command was compiled for.
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-" + os.environ["CAMPANILE_PLATFORM"]
