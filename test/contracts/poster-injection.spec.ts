import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import sharp from 'sharp';
import { hostilePrompts } from '../support/hostile/hostile-prompts.js';
import { anImageCall } from '../../src/providers/adapters/builtin/image-call.fake.js';
import { PosterImageAdapter } from '../../src/providers/adapters/builtin/poster-image.adapter.js';

const adapter = new PosterImageAdapter();

/** The only elements of a poster. Any other element comes from an injection. */
const ELEMENTS = new Set([
  'svg',
  'defs',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'g',
  'rect',
  'circle',
  'ellipse',
  'path',
]);
const ATTRIBUTES = new Set([
  'xmlns',
  'viewBox',
  'id',
  'width',
  'height',
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'd',
  'fill',
  'fill-opacity',
  'offset',
  'stop-color',
  'stop-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'transform',
  'clip-path',
]);

function faultsOf(markup: string): string[] {
  const faults: string[] = [];
  const parser = new DOMParser({ onError: (level, message) => faults.push(`${level}: ${message}`) });
  const document = parser.parseFromString(markup, 'image/svg+xml');
  const walk = (node: Node): void => {
    if (node.nodeType === 1) {
      const element = node as Element;
      if (!ELEMENTS.has(element.tagName)) faults.push(`element ${element.tagName}`);
      for (const attribute of Array.from(element.attributes))
        if (!ATTRIBUTES.has(attribute.name)) faults.push(`attribute ${element.tagName}.${attribute.name}`);
    } else {
      faults.push(`node of type ${node.nodeType}`);
    }
    for (const child of Array.from(element(node).childNodes)) walk(child);
  };
  if (document.documentElement) walk(document.documentElement);
  else faults.push('no document');
  return faults;
}

const element = (node: Node): Element => node as Element;

async function markupOf(prompt: string): Promise<string> {
  const { images } = await adapter.generate(anImageCall({ prompt, format: 'svg' }));
  return Buffer.from(images[0]?.b64 ?? '', 'base64').toString('utf8');
}

describe('hostile prompts for the built-in poster', () => {
  it('would be detected if they added markup, because the check finds foreign markup', () => {
    const found = (inside: string): string[] => faultsOf(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);

    expect(found('<script>1</script>')).toContain('element script');
    expect(found('<g onload="1"/>')).toContain('attribute g.onload');
    expect(found('<rect href="x"/>')).toContain('attribute rect.href');
    expect(found('words')).toContain('node of type 3');
    expect(found('<!-- x -->')).toContain('node of type 8');
    expect(found('<path/>')).toEqual([]);
  });

  it('each result in a well-formed SVG that contains only shapes and has a limited size', async () => {
    const broken: string[] = [];
    for (const prompt of hostilePrompts()) {
      const markup = await markupOf(prompt);
      const faults = faultsOf(markup);
      if (faults.length > 0 || markup.length > 600_000)
        broken.push(`${JSON.stringify(prompt.slice(0, 60))}: ${markup.length} ${faults.join('; ')}`);
    }

    expect(broken).toEqual([]);
  });

  it('each result in a picture of the requested size that can be decoded', async () => {
    const broken: string[] = [];
    for (const prompt of hostilePrompts()) {
      const { images } = await adapter.generate(anImageCall({ prompt, width: 64, height: 80, quality: 'low' }));
      const { info } = await sharp(Buffer.from(images[0]?.b64 ?? '', 'base64'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      if (info.width !== 64 || info.height !== 80) broken.push(JSON.stringify(prompt.slice(0, 60)));
    }

    expect(broken).toEqual([]);
  }, 120_000);

  it('do not appear in the markup', async () => {
    const markup = await markupOf('zqxjkvw zqxjkvw');

    expect(markup.toLowerCase()).not.toContain('zqxjkvw');
    expect(markup).not.toMatch(/<text|font-family|[^\x20-\x7e]/);
  });
});
