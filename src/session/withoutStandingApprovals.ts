import type { SessionEvent } from "./sessionEvent";

/** The event without approvals that reach beyond their one call: those of a log that another session takes over do not. */
export function withoutStandingApprovals(event: SessionEvent): SessionEvent {
  if (event.type !== "input.resolved") return event;
  const resolutions = event.data.resolutions.map((resolution) =>
    resolution.response?.["optionId"] === "always"
      ? { ...resolution, response: { ...resolution.response, optionId: "approve" } }
      : resolution,
  );
  return { ...event, data: { ...event.data, resolutions } };
}
