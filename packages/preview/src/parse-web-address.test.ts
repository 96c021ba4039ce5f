import { expect, test } from 'vitest';
import { parseWebAddress } from './parse-web-address.ts';
import { parseBrand } from './preview-options.ts';

test.each([
  ['https://cms.example', 'https://cms.example'],
  ['https://cms.example/admin/', 'https://cms.example'],
  ['http://127.0.0.1:3000/admin?x#y', 'http://127.0.0.1:3000'],
])('%s has the origin %s', (address, origin) => {
  expect(parseWebAddress('panelOrigin', address).origin).toBe(origin);
});

test.each(['*', '', 'cms.example', '/admin', 'null', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
  'rejects %j and says what is allowed',
  (address) => {
    expect(() => parseWebAddress('panelOrigin', address)).toThrow(
      `panelOrigin must be a web address, such as https://cms.example, got "${address}".`,
    );
  },
);

test.each([
  [undefined, 'service'],
  ['acme', 'acme'],
  ['acme-cms', 'acme-cms'],
])('the brand %j is %s', (brand, expected) => {
  expect(parseBrand(brand)).toBe(expected);
});

test.each(['X-ACME', 'x-acme', 'Acme', '', 'a b'])('rejects the brand %j', (brand) => {
  expect(() => parseBrand(brand)).toThrow(`in lower case, such as acme, got "${brand}".`);
});
