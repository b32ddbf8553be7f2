/** What the fragment of a link to the console says: browsers do not send it. */
export interface SignInLink {
  /** A one-time code. */
  readonly code: string | null;
  /** The token of an invitation. */
  readonly invitation: string | null;
}

/** Takes the fragment, which leaves the address bar and the history at once. */
function takeLink(): SignInLink {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const link = { code: fragment.get('code'), invitation: fragment.get('invitation') };
  if (link.code ?? link.invitation)
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return link;
}

export const signInLink = takeLink();
