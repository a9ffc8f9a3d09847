import type { ScheduledMessage } from '@majlis/console-api';
import { createContext } from 'react';

/** Opens the dialog of a scheduled message. It belongs to the thread: the line of the message goes when it is sent. */
export const EditContext = createContext<(message: ScheduledMessage) => void>(() => {});
