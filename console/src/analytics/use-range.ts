import { useLocation, useSearch } from 'wouter';
import { useWorkspace } from '../live/directory.ts';
import { serverNow } from '../live/session.ts';
import { countDays, type DateRange, defaultPreset, type Preset, presets, rangeOf, todayIn } from './date-range.ts';

/** Members of the address behind the question mark. Undefined removes one. */
export function useAddress(): {
  values: URLSearchParams;
  change: (members: Record<string, string | undefined>) => void;
} {
  const [path, navigate] = useLocation();
  const values = new URLSearchParams(useSearch());
  return {
    values,
    change(members) {
      const next = new URLSearchParams(values);
      for (const [name, value] of Object.entries(members)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
      navigate(next.size > 0 ? `${path}?${next}` : path, { replace: true });
    },
  };
}

export interface ChosenRange {
  preset: Preset | 'custom';
  range: DateRange;
  isValid: boolean;
  today: string;
  timezone: string;
}

/** The days that the address names. Undefined until the time zone of the workspace is known. */
export function useRange(workspace_id: string): ChosenRange | undefined {
  const workspace = useWorkspace(workspace_id);
  const { values } = useAddress();
  if (!workspace) return undefined;
  const timezone = workspace.timezone ?? 'UTC';
  const today = todayIn(timezone, serverNow());
  const [from, to] = [values.get('from'), values.get('to')];
  if (from !== null && to !== null) {
    const range = { from, to };
    return { preset: 'custom', range, isValid: countDays(range) > 0, today, timezone };
  }
  const preset = presets.find((one) => one === values.get('range')) ?? defaultPreset;
  return { preset, range: rangeOf(preset, today), isValid: true, today, timezone };
}
