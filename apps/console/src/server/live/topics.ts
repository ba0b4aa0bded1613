import { policyTopic } from "./policy-topic.ts";
import { storeTopic } from "./store-topic.ts";

/** All topics of the live subscription. To add one: its file beside this one and a row here. */
export const topics = {
  policy: policyTopic,
  store: storeTopic,
};

export type Topics = typeof topics;
export type TopicName = keyof Topics;
export type TopicData<Name extends TopicName> = Awaited<ReturnType<Topics[Name]["read"]>>;

/** The newest value of one topic. */
export type LiveUpdate = {
  [Name in TopicName]: { readonly topic: Name; readonly data: TopicData<Name>; readonly readAtMs: number };
}[TopicName];

/** What the subscription sends: a value, or that the values can no longer be read. */
export type LiveEvent =
  | LiveUpdate
  | { readonly topic: "trouble"; readonly reason: string; readonly sinceMs: number };
