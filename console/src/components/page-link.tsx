import { Anchor, type AnchorProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';

type StyledAnchorProps = AnchorProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps> & { readonly ref?: Ref<HTMLAnchorElement> };

const StyledAnchor = (props: StyledAnchorProps): ReactNode => <Anchor inherit={props.size === undefined} {...props} />;

/** A link to a page of the console, with the types of the router. */
export const PageLink = createLink(StyledAnchor);
