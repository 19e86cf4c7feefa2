import { FurtherPages } from './grid/further-pages';
import { enableKeys } from './grid/keys';
import { stillMotion } from './grid/motion';
import { rememberPlace } from './grid/return';

stillMotion();
enableKeys();
const pages = FurtherPages.find(stillMotion);
if (pages) {
  rememberPlace(pages);
  pages.watch();
}
