import { enableArranging } from './editing/arranging';
import { enableDetails } from './editing/details';
import { enablePicking } from './editing/picking';
import { enableSheet } from './editing/sheet';

enableDetails();
enableArranging();
enablePicking();
enableSheet();
