// Guards all calls that check a password: how fast they may be tried, the devices that are known, and the record of failures.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import type { Desk } from '../../authoring/desk.ts';
import { FailedSignIns } from '../../authoring/people/failed-sign-ins.ts';
import type { UserRow } from '../../storage/accounts/accounts.ts';
import { PasswordThrottle } from './password-throttle.ts';

export interface Entrance {
  readonly throttle: PasswordThrottle;
  readonly devices: KnownDevices;
  readonly failures: FailedSignIns;
}

export function openEntrance({ storage, now, randomBytes }: Desk, log: Logger): Entrance {
  return {
    throttle: new PasswordThrottle(),
    devices: new KnownDevices(storage.deriveKey('known devices'), randomBytes),
    failures: new FailedSignIns({ storage, now, log }),
  };
}

/** Browsers keep no cookie for much longer than a year. */
export const DEVICE_SECONDS = 365 * 24 * 60 * 60;
const DEVICE_BYTES = 12;
const PATTERN = /^([\w-]{1,64})\.([\w-]{16})\.([\w-]{43})$/;

export type DeviceUser = Pick<UserRow, 'id' | 'password_hash'>;

/**
 * Browsers that somebody has signed in from. They carry a signed cookie that is bound to the user and to the user's password,
 * so it is void for anybody else and after a change of the password. It gives no access: it only spares the user the delay that
 * others cause by trying passwords.
 */
class KnownDevices {
  readonly #key: Buffer;
  readonly #randomBytes: (count: number) => Buffer;

  constructor(key: Buffer, randomBytes: (count: number) => Buffer) {
    this.#key = key;
    this.#randomBytes = randomBytes;
  }

  /** The value of the cookie for a new device. */
  introduce(user: DeviceUser): string {
    const device = this.#randomBytes(DEVICE_BYTES).toString('base64url');
    return `${user.id}.${device}.${this.#sign(user, device).toString('base64url')}`;
  }

  /** The name of the device; undefined if the cookie does not belong to this user. */
  recognise(cookie: string, user: DeviceUser): string | undefined {
    const [, userId, device = '', signature = ''] = PATTERN.exec(cookie) ?? [];
    if (userId !== user.id) return undefined;
    return timingSafeEqual(Buffer.from(signature, 'base64url'), this.#sign(user, device)) ? device : undefined;
  }

  #sign({ id, password_hash }: DeviceUser, device: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([id, device, password_hash]))
      .digest();
  }
}
