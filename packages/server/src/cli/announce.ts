// What the start tells: a person on a terminal, or a script that waits for the line `listening`. The access to a new
// demo is told to both, since it is shown this once.

import type { Logger } from 'pino';
import type { DemoAccess } from '../explorer/demo-access.ts';
import type { Settings } from '../settings.ts';
import { type Storage, selectKeys, selectSites } from '../storage/port.ts';
import { findKeyState } from './key-list.ts';
import { createPaint } from './paint.ts';
import { renderDemoWelcome, renderWelcome, suggestKey } from './welcome.ts';

export interface DemoAnnouncement {
  readonly version: string;
  readonly settings: Settings;
  readonly url: string;
  readonly demo: DemoAccess;
}

/** To be called before the demo is kept for good: a key that nobody saw would be of no use. */
export function announceDemo({ version, settings, url, demo }: DemoAnnouncement): void {
  const { headerPrefix } = settings;
  process.stdout.write(renderDemoWelcome({ version, url, headerPrefix, demo }, createPaint(process.stdout)));
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
  const { version, url, storage, log, isNew } = service;
  const now = Date.now();
  const sites = await storage.read(selectSites());
  const keys = await storage.read(selectKeys());
  const hasKey = keys.some((key) => findKeyState(key, now) === 'active');
  if (process.stdout.isTTY) {
    if (!isNew) process.stdout.write(renderWelcome({ version, url, sites, hasKey }, createPaint(process.stdout)));
    return;
  }
  if (sites.length > 0 && !hasKey) log.warn({ create: suggestKey(sites) }, 'there is no API key that works');
  log.info({ address: url }, 'listening');
}
