// A worker for jobs of the type charge-card. Node 18 or newer, no packages.
//
//     node charge.mjs http://localhost:5001/elsa/api
//
// Stops on SIGTERM and Ctrl-C once the jobs that it has are done. Whatever dies before a result is
// committed, the job goes to the next worker when its lease expires. SKEIN_API_KEY: the key of an
// application with the role worker.
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

const API = process.argv[2] ?? 'http://localhost:5001/elsa/api'
const WORKER = `${hostname()}-${process.pid}`
const LEASE_SECONDS = 30
let stopping = false

class Refused extends Error {
  constructor(status, body) {
    super(`${status} ${body}`)
    this.mayBeRepeated = status >= 500 || status === 429
  }
}

async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' }
  if (process.env.SKEIN_API_KEY) {
    headers.Authorization = `ApiKey ${process.env.SKEIN_API_KEY}`
  }
  const answer = await fetch(API + path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  })
  if (!answer.ok) {
    throw new Refused(answer.status, await answer.text())
  }
  return answer.json()
}

/** The work. It may run again when a worker dies: give the key to the bank, which knows it then. */
async function charge(payload, key) {
  return payload.amount > 100_000 ? { outcome: 'Refused' } : { result: { charged: payload.amount, key } }
}

/** Sends the same result until somebody answers: it has its effect once. */
async function report(job, action, body) {
  for (;;) {
    try {
      return await post(`/jobs/${job.id}/${action}`, { lease: job.lease, ...body })
    } catch (error) {
      console.log(`${job.id}: ${error.message}`)
      if (error instanceof Refused && !error.mayBeRepeated) {
        return
      }
      await pause(1_000)
    }
  }
}

async function work(job) {
  const keeper = setInterval(
    () =>
      post(`/jobs/${job.id}/heartbeat`, { lease: job.lease, leaseFor: `PT${LEASE_SECONDS}S` }).catch((error) =>
        console.log(`${job.id}: ${error.message}`),
      ),
    (LEASE_SECONDS * 1_000) / 3,
  )
  try {
    const result = await charge(job.payload, job.key)
    await report(job, 'complete', result)
    console.log(`${job.id}: ${JSON.stringify(result)}`)
  } catch (error) {
    // Tried again as the activity's retry policy says.
    await report(job, 'fail', { error: String(error), retryable: true })
  } finally {
    clearInterval(keeper)
  }
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    stopping = true
  })
}
while (!stopping) {
  try {
    const leased = await post('/jobs/lease', {
      types: ['charge-card'],
      worker: WORKER,
      max: 4,
      leaseFor: `PT${LEASE_SECONDS}S`,
      wait: 'PT5S',
    })
    await Promise.all(leased.items.map(work))
  } catch (error) {
    console.log(error.message)
    await pause(1_000)
  }
}
