import { getSecret } from 'astro:env/server';

/** Reads a variable from the environment or from `.env.local`. */
export function readVariable(name: string): string | undefined {
  return getSecret(name);
}
