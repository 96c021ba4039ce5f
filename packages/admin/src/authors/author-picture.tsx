import { Avatar } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { resolveAddress } from '../assets/asset-address.ts';
import { siteQuery } from '../sites/site-queries.ts';

interface AuthorPictureProps {
  readonly site: string;
  readonly name: string;
  readonly address: string | null;
  readonly size?: number;
}

/** An author's picture, or their initials. */
export function AuthorPicture({ site, name, address, size = 32 }: AuthorPictureProps) {
  const { data } = useSuspenseQuery(siteQuery(site));
  const src = address === null || address === '' ? null : resolveAddress(address, data.url);
  return (
    <Avatar
      src={src}
      name={name}
      alt=""
      size={size}
      color="pine"
      aria-hidden
      imageProps={{ loading: 'lazy', decoding: 'async' }}
    />
  );
}
