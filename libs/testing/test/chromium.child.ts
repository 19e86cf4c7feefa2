import { launchChromium } from '../src/index';

// A test run with an open page. It waits for the message to close the page, or to be killed.
void (async () => {
  const browser = await launchChromium();
  await (await browser.newPage()).goto('data:text/html,open');
  process.once('message', () => void browser.close().then(() => process.disconnect()));
  process.send?.('open');
})();
