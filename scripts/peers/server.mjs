// A server of the official TypeScript SDK, of either major version, over HTTP on a loopback port of its own.
//
//     server.mjs MAJOR MODE [CERTIFICATE KEY]        beside a node_modules that has the SDK
//
// Prints {"url": ..., "sdk": ...} as its only line, then serves until it is ended. The modes are those of server.py;
// version 2 has no http-sse, and besides: dual (both eras, as its own handler serves them) and modern (2026-07-28 only),
// which also comes as modern-sse, modern-json, modern-paging and modern-bearer.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';

const [major, mode, certificate, key] = process.argv.slice(2);
const first = major === '1';
const sdk = '@modelcontextprotocol/sdk';

const { Server } = first
    ? await import(`${sdk}/server/index.js`)
    : await import('@modelcontextprotocol/server');
const Transport = first
    ? (await import(`${sdk}/server/streamableHttp.js`)).StreamableHTTPServerTransport
    : (await import('@modelcontextprotocol/node')).NodeStreamableHTTPServerTransport;
const ListTools = first ? (await import(`${sdk}/types.js`)).ListToolsRequestSchema : 'tools/list';
const manifest = first ? `${sdk}/package.json` : '@modelcontextprotocol/server/package.json';
const version = JSON.parse(readFileSync(new URL(`node_modules/${manifest}`, import.meta.url))).version;

const tool = (name) => ({
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
});

function makeServer() {
    const server = new Server({ name: 'peer', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListTools, async (request, extra) => {
        const close = extra?.closeSSEStream ?? extra?.http?.closeSSE;
        if (mode === 'resume' && close) {
            close();
            await new Promise((resolve) => setTimeout(resolve, 200));
        }
        if (!mode.endsWith('paging') && mode !== 'expiry') return { tools: [tool('alpha'), tool('beta')] };
        return request.params?.cursor ? { tools: [tool('beta')] } : { tools: [tool('alpha')], nextCursor: 'page-2' };
    });
    return server;
}

// Everything that was sent, in order.
class Events {
    events = [];
    async storeEvent(stream, message) {
        this.events.push({ stream, message });
        return String(this.events.length);
    }
    async getStreamIdForEventId(id) {
        return this.events[Number(id) - 1]?.stream;
    }
    async replayEventsAfter(id, { send }) {
        const stream = this.events[Number(id) - 1].stream;
        for (let at = Number(id); at < this.events.length; at++) {
            const { stream: of, message } = this.events[at];
            if (of === stream && message?.jsonrpc) await send(String(at + 1), message);
        }
        return stream;
    }
}

async function body(request) {
    let text = '';
    for await (const chunk of request) text += chunk;
    return text ? JSON.parse(text) : undefined;
}

function refuse(response, status, message) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

// Sessions as the SDK's example code keeps them.
const sessions = new Map();
let ended = false;

async function withSessions(request, response) {
    const message = request.method === 'POST' ? await body(request) : undefined;
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (!transport) {
        if (id) return refuse(response, 404, 'Session not found');
        if (message?.method !== 'initialize') return refuse(response, 400, 'Bad Request: No valid session ID provided');
        transport = new Transport({
            sessionIdGenerator: randomUUID,
            enableJsonResponse: mode === 'json',
            ...(mode === 'resume' ? { eventStore: new Events(), retryInterval: 100 } : {}),
            onsessioninitialized: (made) => sessions.set(made, transport),
        });
        await makeServer().connect(transport);
    }
    if (mode === 'expiry' && message?.method === 'tools/list' && !ended) {
        ended = true;
        response.on('finish', () => {
            sessions.delete(id);
            transport.close();
        });
    }
    await transport.handleRequest(request, response, message);
}

async function stateless(request, response) {
    if (request.method !== 'POST') return refuse(response, 405, 'Method not allowed.');
    const transport = new Transport({ sessionIdGenerator: undefined, enableJsonResponse: mode === 'stateless-json' });
    await makeServer().connect(transport);
    await transport.handleRequest(request, response, await body(request));
}

async function httpSse() {
    const { SSEServerTransport } = await import(`${sdk}/server/sse.js`);
    return async (request, response) => {
        const url = new URL(request.url, 'http://localhost');
        if (request.method === 'GET' && url.pathname === '/sse') {
            const transport = new SSEServerTransport('/messages', response);
            sessions.set(transport.sessionId, transport);
            return makeServer().connect(transport);
        }
        const transport = sessions.get(url.searchParams.get('sessionId'));
        if (request.method === 'POST' && transport) return transport.handlePostMessage(request, response);
        response.writeHead(404).end();
    };
}

// The SDK's own handler, which tells the eras apart.
async function eras() {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    const shape = /^modern-(sse|json)$/.exec(mode)?.[1];
    return toNodeHandler(createMcpHandler(makeServer, {
        ...(mode === 'dual' ? {} : { legacy: 'reject' }),
        ...(shape ? { responseMode: shape } : {}),
    }));
}

async function bearer(url) {
    const { default: express } = await import('express');
    const verifier = {
        async verifyAccessToken(token) {
            if (token !== 'good-token') throw new InvalidTokenError('not that one');
            return { token, clientId: 'peer', scopes: ['tools:read'], expiresAt: Date.now() / 1000 + 600 };
        },
    };
    const helpers = first
        ? { ...(await import(`${sdk}/server/auth/middleware/bearerAuth.js`)), ...(await import(`${sdk}/server/auth/router.js`)) }
        : await import('@modelcontextprotocol/express');
    const errors = first ? await import(`${sdk}/server/auth/errors.js`) : await import('@modelcontextprotocol/server');
    const InvalidTokenError = errors.InvalidTokenError ?? class extends errors.OAuthError {
        constructor(message) {
            super(errors.OAuthErrorCode?.InvalidToken ?? 'invalid_token', message);
        }
    };
    const issuer = 'https://auth.example.test';
    const app = express();
    app.use(helpers.mcpAuthMetadataRouter({
        oauthMetadata: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            response_types_supported: ['code'],
        },
        resourceServerUrl: url,
        scopesSupported: ['tools:read'],
    }));
    app.use('/mcp', helpers.requireBearerAuth({
        verifier,
        requiredScopes: ['tools:read'],
        resourceMetadataUrl: helpers.getOAuthProtectedResourceMetadataUrl(url),
    }));
    app.all('/mcp', mode === 'modern-bearer' ? await eras() : withSessions);
    return app;
}

async function handler(url) {
    switch (mode) {
        case 'http-sse':
            return httpSse();
        case 'bearer':
        case 'modern-bearer':
            return bearer(url);
        case 'stateless-sse':
        case 'stateless-json':
            return stateless;
        case 'dual':
        case 'modern':
        case 'modern-sse':
        case 'modern-json':
        case 'modern-paging':
            return eras();
        default:
            return withSessions;
    }
}

let serve;
const listener = certificate
    ? createTlsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => serve(request, response))
    : createServer((request, response) => serve(request, response));
listener.listen(0, '127.0.0.1', async () => {
    const scheme = certificate ? 'https' : 'http';
    const url = new URL(`${scheme}://127.0.0.1:${listener.address().port}${mode === 'http-sse' ? '/sse' : '/mcp'}`);
    serve = await handler(url);
    console.log(JSON.stringify({ url: String(url), sdk: `TypeScript ${version}` }));
});
