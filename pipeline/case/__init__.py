"""A case: everything that the lake and the source files hold about some rounds, in one folder that proves itself."""
