export interface SwatchProps {
  /** 1…8: one of the theme's mount colours. */
  readonly color: number;
  /** What the colour stands for, where no word beside it says so. */
  readonly label?: string;
}

/** A square of 8 px. It stands beside a word, or carries one as its label. */
export function Swatch({ color, label }: SwatchProps) {
  return (
    <span className="swatch" style={{ background: `var(--mount-${color})` }} title={label}>
      {label ? <span className="visually-hidden">{label}</span> : null}
    </span>
  );
}
