// The addresses that sites print into the heads of their pages. Bundles are not held to this: they come from whoever runs the
// service.

import { buildFault, type Fault } from '../../content/fault.ts';
import type { Seo } from '../../content/seo.ts';
import { isPageAddress, PAGE_ADDRESS_RULE } from '../../content/web-address.ts';

export function findSeoFaults({ canonical_url, open_graph }: Seo): readonly Fault[] {
  const addresses = [
    ['seo.canonical_url', canonical_url],
    ['seo.open_graph.url', open_graph.url],
    ['seo.open_graph.image_secure_url', open_graph.image_secure_url],
  ] as const;
  return addresses.flatMap(([path, address]) =>
    address === null || isPageAddress(address) ? [] : [buildFault(path, `must be ${PAGE_ADDRESS_RULE}`, address)],
  );
}
