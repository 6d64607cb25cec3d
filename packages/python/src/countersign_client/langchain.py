"""An agent's purchases as tools of LangChain. It takes the extra: ``pip install countersign-client[langchain]``."""

from __future__ import annotations

from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from .agent import Agent, AsyncAgent
from .tools import TOOLS, AsyncToolset, Tool, Toolset


def langchain_tools(agent: Agent | AsyncAgent) -> list[BaseTool]:
    """The tools of ``agent.tools()``, for a model or a graph. Those of an ``AsyncAgent`` are for ``ainvoke`` alone.

    They share the approvals that purchases wait for: make them once for a conversation.
    """
    toolset = agent.tools()
    return [_tool(toolset, tool) for tool in TOOLS.values()]


def _tool(toolset: Toolset | AsyncToolset, tool: Tool) -> BaseTool:
    common: dict[str, Any] = {"name": tool.name, "description": tool.description, "args_schema": tool.arguments}
    if isinstance(toolset, AsyncToolset):

        async def call_async(**arguments: Any) -> str:
            return await toolset.call(tool.name, arguments)

        return StructuredTool.from_function(coroutine=call_async, **common)

    def call(**arguments: Any) -> str:
        return toolset.call(tool.name, arguments)

    return StructuredTool.from_function(func=call, **common)
