// What the start tells: a person on a terminal, or a script that waits for the line `listening`. The access to a new
// demo is told to both, since it is shown this once.

import type { Logger } from 'pino';
import type { NewDemo } from '../demo/with-new-demo.ts';
import type { Settings } from '../settings.ts';
import { MAIN_ACCOUNT_NO, type Storage, selectAllKeys, selectSites } from '../storage/port.ts';
import { buildSetUpLink } from './build-set-up-link.ts';
import { findKeyState } from './key-list.ts';
import { createPaint } from './paint.ts';
import { renderDemoWelcome, renderWelcome, suggestKey } from './welcome.ts';

export interface DemoAnnouncement {
  readonly version: string;
  readonly settings: Settings;
  readonly url: string;
  readonly demo: NewDemo;
}

/** To be called before the demo is kept for good: a key and a password that nobody saw would be of no use. */
export function announceDemo({ version, settings, url, demo }: DemoAnnouncement): void {
  const { headerPrefix, isAdminServed } = settings;
  const welcome = { version, url, headerPrefix, isAdminServed, demo };
  process.stdout.write(renderDemoWelcome(welcome, createPaint(process.stdout)));
}

export interface ServiceAnnouncement {
  readonly version: string;
  readonly settings: Settings;
  readonly url: string;
  readonly storage: Storage;
  readonly log: Logger;
  /** Whether a new demo was announced just now. */
  readonly isNew: boolean;
}

export async function announceService(service: ServiceAnnouncement): Promise<void> {
  const { version, settings, url, storage, log, isNew } = service;
  const now = Date.now();
  const sites = await storage.read(selectSites());
  const keys = await storage.read(selectAllKeys(MAIN_ACCOUNT_NO));
  const hasKey = keys.some((key) => findKeyState(key, now) === 'active');
  const { isAdminServed, publicUrl } = settings;
  const setUpLink = isAdminServed ? await buildSetUpLink(storage, publicUrl ?? url) : undefined;
  if (process.stdout.isTTY) {
    if (isNew) return;
    const welcome = { version, url, isAdminServed, sites, hasKey, setUpLink };
    process.stdout.write(renderWelcome(welcome, createPaint(process.stdout)));
    return;
  }
  if (sites.length > 0 && !hasKey) log.warn({ create: suggestKey(sites) }, 'there is no API key that works');
  if (setUpLink !== undefined)
    log.warn({ link: setUpLink }, 'nobody can sign in yet: open the link to create an owner');
  log.info({ address: url }, 'listening');
}
