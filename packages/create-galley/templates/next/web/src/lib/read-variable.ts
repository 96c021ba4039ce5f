/** A variable of the environment, or of `.env.local`. */
export function readVariable(name: string): string | undefined {
  return process.env[name];
}
