import { shownName, type MountView } from "../../store";
import { Swatch } from "../widgets/Swatch";
import { Tag } from "../widgets/Tag";
import { MountCount } from "./MountCount";

const WORDS =
  "The turn’s own: what is fetched and is too long for the model. You may read it; it goes when the turn ends.";

/** The line of the mount table for the `/tmp` of the turn that runs. */
export function ScratchRow({ scratch }: { readonly scratch: MountView }) {
  return (
    <li className="mount">
      <div className="row mount-line">
        <Swatch color={scratch.color} />
        <span className="mount-prefix mono truncate" title={WORDS}>
          {shownName(scratch.prefix)}
        </span>
        <Tag title={WORDS}>this turn</Tag>
        <MountCount mount={scratch} />
      </div>
    </li>
  );
}
