import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';

type LinkAttributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps | keyof AnchorProps> & {
  readonly ref?: Ref<HTMLAnchorElement>;
};

function ButtonAnchor(props: ButtonProps & LinkAttributes) {
  return <Button component="a" {...props} />;
}

function CancelAnchor(props: Omit<ButtonProps & LinkAttributes, 'children'>) {
  return (
    <Button component="a" variant="default" {...props}>
      {SHELL_TEXTS.cancel}
    </Button>
  );
}

function PlainAnchor(props: AnchorProps & LinkAttributes) {
  return <Anchor {...props} />;
}

/** A link to a panel route, styled as a button. */
export const LinkButton = createLink(ButtonAnchor);

/** A link for leaving a form and returning to the previous page. */
export const CancelLink = createLink(CancelAnchor);

/** A link to a panel route, for use within text or a table. */
export const TextLink = createLink(PlainAnchor);
