"""Kernels: what each is (`families`), Gram matrices and products with them (`kernel`), the compiled Gaussian
(`gaussian`), rows of a large matrix on demand (`rows`), whether a matrix is positive semidefinite (`definiteness`)."""

from svmcore.kernels.inner import FEW_FEATURES, slices
from svmcore.kernels.kernel import BLOCK_BYTES, Kernel, resolve_gamma
from svmcore.kernels.registry import KERNELS, PARAMETERS, KernelFamily

__all__ = ["BLOCK_BYTES", "FEW_FEATURES", "KERNELS", "PARAMETERS", "Kernel", "KernelFamily", "resolve_gamma", "slices"]
