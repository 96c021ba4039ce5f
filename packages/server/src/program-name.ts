/**
 * The command that texts tell people to run. It works in a project that has the package installed. Anywhere else, `--no` keeps
 * npx from downloading somebody else's package `galley`.
 */
export const PROGRAM = 'npx --no galley';
