import { getSecret } from 'astro:env/server';

/** A variable of the environment, or of `.env.local`. */
export function readVariable(name: string): string | undefined {
  return getSecret(name);
}
