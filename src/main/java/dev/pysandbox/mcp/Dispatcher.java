package dev.pysandbox.mcp;

import dev.pysandbox.mcp.Incoming.Request;

/** Works out the result of a request, on the calling thread. */
interface Dispatcher {
    Object dispatch(Request request, Caller caller) throws RpcException;
}
