/**
 * How texts tell people to call the program. It works in a project that has it installed; `--no` keeps npx from downloading
 * the package `galley` of somebody else elsewhere.
 */
export const PROGRAM = 'npx --no galley';
