/** An id no other tab makes: the time first, so that later ones sort later, then chance. */
export function timedId(): string {
  const chance = crypto.getRandomValues(new Uint32Array(2));
  return (
    Date.now().toString(36).padStart(9, "0") + [...chance].map((word) => word.toString(36).padStart(7, "0")).join("")
  );
}
