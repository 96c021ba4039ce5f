/**
 * The command that messages tell people to run. It works in a project that has the package installed. Anywhere else, `--no` prevents
 * npx from downloading an unrelated package called `galley`.
 */
export const PROGRAM = 'npx --no galley';
