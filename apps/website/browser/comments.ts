import { enhanceForms } from './dom/forms';

enhanceForms('comment', {});
