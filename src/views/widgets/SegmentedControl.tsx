import { useId } from "react";

export interface Segment<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The chord that chooses it, e.g. `alt+1`. */
  readonly keys?: string;
}

export interface SegmentedControlProps<Value extends string> {
  /** What is being chosen, for a screen reader. */
  readonly label: string;
  readonly segments: readonly Segment<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly size?: "normal" | "small";
}

/** One of a few: a group of radio buttons that looks like a switch. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, segments, value, onChange, size = "normal" } = props;
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={`segments segments-${size}`}>
      {segments.map((segment) => (
        <label key={segment.value} className="segment">
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
            {...(segment.keys ? { "aria-keyshortcuts": segment.keys.replace("alt", "Alt") } : {})}
          />
          <span>{segment.label}</span>
        </label>
      ))}
    </div>
  );
}
