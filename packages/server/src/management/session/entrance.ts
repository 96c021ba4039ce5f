// Protects all calls that check a password: it limits how fast passwords can be tried, recognises known devices and records failures.

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

/** Browsers do not keep cookies for much longer than a year. */
export const DEVICE_SECONDS = 365 * 24 * 60 * 60;
const DEVICE_BYTES = 12;
const PATTERN = /^([\w-]{1,64})\.([\w-]{16})\.([\w-]{43})$/;

export type DeviceUser = Pick<UserRow, 'id' | 'password_hash'>;

/**
 * Browsers from which somebody has signed in. They have a signed cookie that is bound to the user and the user's password, so it is
 * invalid for anyone else and after a password change. It does not grant access: it only exempts the user from the delay that others
 * cause by trying passwords.
 */
class KnownDevices {
  readonly #key: Buffer;
  readonly #randomBytes: (count: number) => Buffer;

  constructor(key: Buffer, randomBytes: (count: number) => Buffer) {
    this.#key = key;
    this.#randomBytes = randomBytes;
  }

  /** Returns the cookie value for a new device. */
  introduce(user: DeviceUser): string {
    const device = this.#randomBytes(DEVICE_BYTES).toString('base64url');
    return `${user.id}.${device}.${this.#sign(user, device).toString('base64url')}`;
  }

  /** Returns the name of the device, or undefined if the cookie does not belong to this user. */
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
