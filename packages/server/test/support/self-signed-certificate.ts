// A self-signed certificate for a test server. Node can create keys but not certificates, so this code assembles one from the few ASN.1
// elements it needs.

import { generateKeyPairSync, sign } from 'node:crypto';

export interface Certificate {
  /** Both are in PEM format. */
  readonly certificate: string;
  readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BOOLEAN = 0x01;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');
const VERSION_3 = Buffer.from('a003020102', 'hex');
const DAY_MS = 86_400_000;

/** @param host the only host name that the certificate is valid for */
export function createCertificate(host: string, now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = encode(SEQUENCE, ECDSA_WITH_SHA256);
  const name = encode(SEQUENCE, encode(SET, encode(SEQUENCE, COMMON_NAME, encode(UTF8_STRING, Buffer.from(host)))));
  const names = encode(SEQUENCE, encode(DNS_NAME, Buffer.from(host)));
  const isAuthority = encode(SEQUENCE, encode(BOOLEAN, Buffer.from([0xff])));
  const extensions = encode(
    SEQUENCE,
    encode(SEQUENCE, ALTERNATIVE_NAME, encode(OCTET_STRING, names)),
    encode(SEQUENCE, BASIC_CONSTRAINTS, encode(OCTET_STRING, isAuthority)),
  );
  const content = encode(
    SEQUENCE,
    VERSION_3,
    encode(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    encode(SEQUENCE, encodeTime(now - DAY_MS), encodeTime(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, extensions),
  );
  const signature = encode(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey));
  const der = encode(SEQUENCE, content, algorithm, signature).toString('base64');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function encode(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** For example `261115120000Z`. */
function encodeTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/g, '');
  return encode(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}
