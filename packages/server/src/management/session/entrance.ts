// What all who show a password meet: how fast they may try, the devices that are known, and the record of failures.

import type { Logger } from 'pino';
import type { Desk } from '../../authoring/desk.ts';
import { FailedSignIns } from '../../authoring/people/failed-sign-ins.ts';
import { KnownDevices } from './known-device.ts';
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
