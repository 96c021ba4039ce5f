import { getSecret } from 'astro:env/server';

/** A variable from the environment or from `.env.local`. */
export function readVariable(name: string): string | undefined {
  return getSecret(name);
}
