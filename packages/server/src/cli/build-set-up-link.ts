import { buildSetUpToken } from '../authoring/people/set-up.ts';
import { hasUsers, type Storage } from '../storage/port.ts';

/**
 * Undefined where there is a user already. The token stands in the fragment, which browsers send to nobody: neither a proxy
 * nor a log sees it.
 */
export async function buildSetUpLink(storage: Storage, baseUrl: string): Promise<string | undefined> {
  if (await storage.read(hasUsers())) return undefined;
  return `${baseUrl}/admin/set-up#token=${buildSetUpToken(storage)}`;
}
