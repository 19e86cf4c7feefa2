import type { HttpProbe } from '../bench-harness/http-probe';

/** Compressed bytes of a page and of the styles and scripts that it needs, without pictures. */
export interface PageWeight {
  readonly html: number;
  readonly css: number;
  readonly js: number;
}

/** Loads a page, its styles, its scripts and the scripts that those import. Throws when there are none. */
export async function measureWeight(probe: HttpProbe, path: string): Promise<PageWeight> {
  const page = await probe.get(path);
  const styles = addresses(page.text, /<link rel="stylesheet" href="([^"]+)"/g);
  const scripts = addresses(page.text, /<script type="module" src="([^"]+)"/g);
  if (styles.length === 0 || scripts.length === 0) throw new Error(`${path} names no styles or no scripts.`);
  let css = 0;
  for (const style of styles) css += (await probe.get(style)).bytes;
  const loaded = new Map<string, number>();
  const load = async (script: string): Promise<void> => {
    if (loaded.has(script)) return;
    const { bytes, text } = await probe.get(script);
    loaded.set(script, bytes);
    for (const imported of addresses(text, /(?:from|import)\s*"\.\/([^"]+)"/g))
      await load(`/assets/${imported}`);
  };
  for (const script of scripts) await load(script);
  return { html: page.bytes, css, js: [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

const addresses = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');
