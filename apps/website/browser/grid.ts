import { FurtherPages } from './grid/further-pages';
import { enableKeys } from './grid/keys';
import { stopTileMotion } from './grid/tile-motion';
import { restorePlace } from './grid/scroll-position';

stopTileMotion();
enableKeys();
const pages = FurtherPages.find(stopTileMotion);
if (pages) {
  restorePlace(pages);
  pages.watch();
}
