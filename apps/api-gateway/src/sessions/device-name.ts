import { BROWSER_MAP, OS_MAP, parse } from 'bowser';

/** Longer agents are no browser's; what is beyond isn't looked at. */
const MAX_AGENT = 512;

/** What bowser names itself; of an agent that it doesn't know it gives a piece as it came. */
const BROWSERS = new Set(Object.values(BROWSER_MAP));
const SYSTEMS = new Set(Object.values(OS_MAP));

/**
 * What a session is called after the `User-Agent` that opened it, e.g. `Firefox on Linux`: browser and system without
 * versions, so that nobody is told apart by it. Null where neither is known.
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
