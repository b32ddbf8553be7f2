/** The content of the fragment of a link to the console, which browsers do not send. */
export interface SignInLink {
  /** A one-time code. */
  readonly code: string | null;
  /** The token of an invitation. */
  readonly invitation: string | null;
}

/** Reads the fragment and removes it at once from the address bar and the history. */
function takeLink(): SignInLink {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const link = { code: fragment.get('code'), invitation: fragment.get('invitation') };
  if (link.code ?? link.invitation)
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return link;
}

export const signInLink = takeLink();
