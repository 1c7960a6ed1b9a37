import { Button } from "../widgets/Button";
import { Dialog } from "../widgets/Dialog";

export interface DownloadFirstDialogProps {
  readonly title: string;
  /** What will be lost. */
  readonly description: string;
  /** What is about to be done, as on its button. */
  readonly action: string;
  readonly onClose: () => void;
  readonly download: () => void;
  readonly act: () => void;
}

/** Asks before files that are kept nowhere else are lost, and offers them as a file. */
export function DownloadFirstDialog({ title, description, action, onClose, download, act }: DownloadFirstDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button onClick={download}>Download first</Button>
          <Button
            variant="danger"
            onClick={() => {
              onClose();
              act();
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
