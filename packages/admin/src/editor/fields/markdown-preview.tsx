// Shows formatted Markdown. The preview is built from React elements, so HTML in the text appears as plain text.

import { Text, Typography } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Markdown, { type Components } from 'react-markdown';
import { siteQuery } from '../../sites/site-queries.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { useForm } from './form-context.ts';
import { resolveLink, resolvePicture } from './link-address.ts';
import classes from './markdown-preview.module.css';
import { findMarkdownTables } from './markdown-tables.ts';

interface MarkdownPreviewProps {
  readonly label: string;
  readonly text: string;
}

export function MarkdownPreview({ label, text }: MarkdownPreviewProps) {
  const { site } = useForm();
  const { data } = useQuery(siteQuery(site));
  const siteUrl = data?.url ?? null;
  return (
    <Typography className={classes.preview} role="region" aria-label={EDITOR_TEXTS.previewOf(label)}>
      {text.trim() === '' ? (
        <Text c="dimmed">{EDITOR_TEXTS.previewEmpty}</Text>
      ) : (
        <Markdown
          components={COMPONENTS}
          remarkPlugins={PLUGINS}
          urlTransform={(address, member) => (member === 'src' ? resolvePicture : resolveLink)(address, siteUrl)}
        >
          {text}
        </Markdown>
      )}
    </Typography>
  );
}

const PLUGINS = [findMarkdownTables];

const COMPONENTS: Components = {
  a: ({ href, title, children }) =>
    href === undefined ? (
      <span className={classes.nowhere}>{children}</span>
    ) : (
      <a href={href} title={title} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ),
  img: ({ src, alt = '', title }) =>
    src === undefined ? (
      <span className={classes.nowhere}>{alt}</span>
    ) : (
      <img src={src} alt={alt} title={title} loading="lazy" referrerPolicy="no-referrer" />
    ),
};
