import type { Notice } from '@majlis/console-api';

export interface Notices {
  data: Notice[];
  sound: boolean;
  desktop: boolean;
}
