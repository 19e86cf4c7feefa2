import { BROWSER_MAP, OS_MAP, parse } from 'bowser';

/** No browser's agent is longer; the rest is ignored. */
const MAX_AGENT = 512;

/** Names that bowser knows; for an unknown agent it returns a part of the header. */
const BROWSERS = new Set(Object.values(BROWSER_MAP));
const SYSTEMS = new Set(Object.values(OS_MAP));

/**
 * Names a session after the `User-Agent` that opened it, such as `Firefox on Linux`: browser and system without versions, so
 * that it identifies no person. Null if neither is known.
 */
export function deviceName(agent: string | null): string | null {
  if (!agent) return null;
  const { browser, os } = parse(agent.slice(0, MAX_AGENT));
  const parts = [
    ...(browser.name && BROWSERS.has(browser.name) ? [browser.name] : []),
    ...(os.name && SYSTEMS.has(os.name) ? [os.name] : []),
  ];
  return parts.join(' on ') || null;
}
