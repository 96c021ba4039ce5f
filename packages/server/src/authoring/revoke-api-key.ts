import { revokeKey, type Storage } from '../storage/port.ts';
import { AuthoringRefusal } from './authoring-refusal.ts';

/** When it has returned, no further request with the key is answered. Revoking twice changes nothing. */
export async function revokeApiKey(storage: Storage, keyId: string, now: number): Promise<void> {
  const isKnown = await storage.transaction((transaction) => transaction.run(revokeKey(keyId, now)));
  if (!isKnown) throw new AuthoringRefusal(`There is no API key ${keyId}.`);
}
