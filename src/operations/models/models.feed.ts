import { Feed } from 'feed';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { API_PREFIX } from '../../http/edge/configure-server.js';

interface FeedAddresses {
  /** The URL of the service, without a trailing slash. */
  readonly base: string;
  /** The path and query of the request. */
  readonly self: string;
  /** Whether items link to a chat with the model instead of to the model's endpoints. */
  readonly chatLinks: boolean;
}

// Characters that XML 1.0 does not allow, even if they are escaped.
const NOT_XML = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|` +
    String.raw`[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]`,
  'g',
);

/** The models as an RSS 2.0 feed (docs/api-rules.md, section 8). */
export function toFeed(models: readonly CatalogueModel[], { base, self, chatLinks }: FeedAddresses): string {
  const newest = models.reduce((latest, model) => Math.max(latest, model.created), 0);
  const feed = new Feed({
    title: 'Gatehouse models',
    description: 'Models of this Gatehouse service',
    id: `${base}${self}`,
    link: `${base}/${API_PREFIX}/models`,
    feed: `${base}${self}`,
    language: 'en',
    generator: 'Gatehouse',
    docs: 'https://www.rssboard.org/rss-specification',
    copyright: '',
    // Use the date of the newest model instead of the current time, so that the feed changes only with the catalogue.
    updated: new Date(newest * 1000),
  });
  for (const model of models) {
    feed.addItem({
      title: clean(model.name).replaceAll(']]>', ']] >'),
      guid: clean(model.id),
      link: chatLinks
        ? `${base}/chat?models=${encodeURIComponent(model.id)}`
        : `${base}/${API_PREFIX}/models/${pathOf(model.id)}/endpoints`,
      description: asHtml(clean(model.description)),
      date: new Date(model.created * 1000),
    });
  }
  return feed.rss2();
}

const clean = (text: string): string => text.replace(NOT_XML, '');
const pathOf = (id: string): string => id.split('/').map(encodeURIComponent).join('/');

/** The description in a feed is HTML. The escaped text also cannot end the CDATA section that contains it. */
const asHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
