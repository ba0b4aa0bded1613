import type OpenAI from "openai";

/** What the router said about one answered request. */
export interface Answer {
  text: string;
  decision: string;
  replica: string;
  /** Revision of the policy that decided. */
  policy: number;
}

/** Sends one streamed chat request as a client would and reads it to its end. */
export async function ask(openai: OpenAI, model: string, question = "How deep is the sea?"): Promise<Answer> {
  const { data: stream, response } = await openai.chat.completions
    .create({
      model,
      stream: true,
      max_tokens: 8,
      messages: [{ role: "user", content: question }],
    })
    .withResponse();
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
  const header = (name: string) => response.headers.get(`x-evenkeel-${name}`) ?? "";
  return { text, decision: header("decision"), replica: header("replica"), policy: Number(header("policy")) };
}
