// AliroEngine
