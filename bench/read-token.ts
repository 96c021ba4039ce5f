/** @param output what a command of Galley printed as JSON about a key or a token that it created */
export function readToken(output: string): string {
  const created: unknown = JSON.parse(output);
  if (typeof created === 'object' && created !== null && 'token' in created && typeof created.token === 'string') {
    return created.token;
  }
  throw new Error('The command printed no token');
}
