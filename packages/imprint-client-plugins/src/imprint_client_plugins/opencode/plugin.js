// A session's start and its pauses are told to Imprint's hook, and its prompts where there may be something to say of
// them. Whatever fails here, the session goes on without it.
import { spawn } from "node:child_process"

const HOOK = @HOOK@
const RECALLS = @RECALLS@ // whether prompts are told
const PATIENCE = 10_000 // milliseconds for which a request may wait

const run = (event, payload, options) => {
  const child = spawn(HOOK[0], [...HOOK.slice(1), "opencode", event], { windowsHide: true, ...options })
  child.on("error", () => {})
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify(payload))
  return child
}

const ask = (event, payload) =>
  new Promise((resolve) => {
    const child = run(event, payload, { stdio: ["pipe", "pipe", "ignore"] })
    const patience = setTimeout(() => {
      child.kill()
      resolve("")
    }, PATIENCE)
    let said = ""
    child.stdout.on("data", (part) => (said += part))
    child.on("error", () => resolve(""))
    child.on("close", () => {
      clearTimeout(patience)
      try {
        resolve(JSON.parse(said).context ?? "")
      } catch {
        resolve("")
      }
    })
  })

const identify = ({ id, messageID, sessionID }) => ({ id: `${id}0`, messageID, sessionID })

const tell = (event, payload) => {
  // In a process group of its own, it outlives a session that ends right here.
  run(event, payload, { stdio: ["pipe", "ignore", "ignore"], detached: true }).unref()
}

export const Imprint = async ({ directory }) => {
  const contexts = new Map() // by session, what its model is told: a system prompt is made anew for each request
  const subagents = new Set()
  const about = (id) => ({ session_id: id, cwd: directory, call_id: `${process.pid} ${performance.now()}` })
  const recall = async (input, output) => {
    try {
      const { sessionID } = input
      const last = output.parts.at(-1)
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      if (subagents.has(sessionID) || !last || !prompt.length) return
      const call = { ...about(sessionID), call_id: last.messageID, prompt: prompt.join("\n\n") }
      const text = await ask("chat.message", call)
      // Parts are sorted by their ids: a longer one comes right behind. What is synthetic the user is not shown.
      if (text) output.parts.push({ ...identify(last), type: "text", text, synthetic: true })
    } catch {}
  }
  return {
    event: async ({ event }) => {
      try {
        if (event.type === "session.created" && event.properties.info.parentID) subagents.add(event.properties.info.id)
        if (event.type === "session.idle") tell(event.type, about(event.properties.sessionID))
      } catch {}
    },
    ...(RECALLS && { "chat.message": recall }),
    "experimental.chat.system.transform": async (input, output) => {
      try {
        const id = input.sessionID
        if (!id || subagents.has(id)) return
        if (!contexts.has(id)) contexts.set(id, ask("experimental.chat.system.transform", about(id)))
        const context = await contexts.get(id)
        if (context) output.system.push(context)
      } catch {}
    },
  }
}
