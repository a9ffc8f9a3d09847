import fc from 'fast-check';
import { testSeed } from './seeded-random.ts';

// Property tests have the same input in each run. A failure names its seed and path.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });

export { default } from 'fast-check';
